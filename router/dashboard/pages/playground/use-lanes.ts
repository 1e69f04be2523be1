/** The choice of the models that receive the requests, and of the settings for each. */
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import type { PlaygroundSearch } from '../../search.ts';
import type { Setup } from './chat.ts';
import type { KeptLane } from './kept/chat-file.ts';
import { NO_SETTINGS, type Settings } from './settings.ts';
import { type Lane, LANES } from './turns.ts';

export type LanesChosen = Readonly<{
  /** At least one lane, in the order in which they are shown. */
  setup: Setup;
  /** The chosen lanes as they are kept. */
  chosen: readonly KeptLane[];
  /** Models that were asked for and are not in the catalog. */
  unknown: readonly string[];
  choose: (lane: Lane, model: Model) => void;
  configure: (lane: Lane, settings: Settings) => void;
  /** Gives all lanes the settings of one. */
  configureAll: (settings: Settings) => void;
  /** Adds a lane with the settings of the first; null when there are four. */
  add: (() => void) | null;
  remove: (lane: Lane) => void;
}>;

/** The models are part of the address, so that links can name them. Throws without models. */
export function useLanes(models: readonly Model[], kept: readonly KeptLane[] | null): LanesChosen {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const usual = models.find(({ available }) => available) ?? models[0];
  if (!usual) throw new Error('there is no model to choose');
  const [chosen, setChosen] = useState(() => kept ?? lanesIn(search, usual.id));
  const setup = chosen.map(({ lane, model, settings }) => {
    return { lane, model: models.find(({ id }) => id === model) ?? usual, settings };
  });
  const change = (lanes: readonly KeptLane[]) => {
    setChosen(lanes);
    const [model = usual.id, ...others] = lanes.map((one) => one.model);
    void navigate({
      to: '.',
      search: (now) => {
        const next = { ...now, model };
        delete next.with;
        return others.length === 0 ? next : { ...next, with: others.join(',') };
      },
      replace: true,
      resetScroll: false,
    });
  };
  const changeOne = (lane: Lane, part: Partial<KeptLane>) =>
    change(chosen.map((one) => (one.lane === lane ? { ...one, ...part } : one)));
  const add = () => {
    const lane = LANES.find((name) => chosen.every((one) => one.lane !== name));
    if (lane === undefined) return;
    const others = models.filter(({ id }) => chosen.every(({ model }) => model !== id));
    const model = others.find(({ available }) => available) ?? others[0] ?? usual;
    change([...chosen, { lane, model: model.id, settings: chosen[0]?.settings ?? NO_SETTINGS }]);
  };
  return {
    setup,
    chosen,
    unknown: chosen.map(({ model }) => model).filter((id) => models.every((one) => one.id !== id)),
    choose: (lane, { id }) => changeOne(lane, { model: id }),
    configure: (lane, settings) => changeOne(lane, { settings }),
    configureAll: (settings) => change(chosen.map((one) => ({ ...one, settings }))),
    add: chosen.length < LANES.length ? add : null,
    remove: (lane) => change(chosen.filter((one) => one.lane !== lane)),
  };
}

function lanesIn(
  search: Pick<PlaygroundSearch, 'model' | 'with'>,
  usual: string,
): readonly KeptLane[] {
  const others = search.with?.split(',').filter((id) => id !== '') ?? [];
  const ids = [search.model ?? usual, ...others].slice(0, LANES.length);
  return LANES.slice(0, ids.length).map((lane, index) => {
    return { lane, model: ids[index] ?? usual, settings: NO_SETTINGS };
  });
}
