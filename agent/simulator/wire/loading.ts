/** The startup of engines that load shards of weights, and listen only when they are loaded. */
import type { Loading } from '../dialect.ts';

const SHARDS = 8;

export const loadingShards: Loading = {
  listensFrom: 1,
  lines(share, { model, elapsedSeconds }) {
    if (share >= 1) return ['INFO:     Application startup complete.'];
    const done = Math.floor(share * SHARDS);
    const percent = String(Math.round((done / SHARDS) * 100)).padStart(3);
    const left = share === 0 ? '?' : clockOf((elapsedSeconds * (1 - share)) / share);
    const shards =
      `Loading safetensors checkpoint shards: ${percent}% Completed | ${done}/${SHARDS} ` +
      `[${clockOf(elapsedSeconds)}<${left}]`;
    return share === 0 ? [`INFO Starting to load model ${model}...`, shards] : [shards];
  },
};

function clockOf(seconds: number): string {
  const whole = Math.round(seconds);
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60];
  return [minutes, rest].map((part) => String(part).padStart(2, '0')).join(':');
}
