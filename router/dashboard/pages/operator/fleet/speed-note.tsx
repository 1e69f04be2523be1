import { Sparkline } from '../../../parts/chart/sparkline.tsx';

type SpeedNoteProps = Readonly<{
  /** Null: two readings are not there yet. */
  now: number | null;
  speeds: readonly (number | null)[];
  slots: number;
}>;

/** The tokens per second of the last readings, below the figure of now. */
export function SpeedNote({ now, speeds, slots }: SpeedNoteProps) {
  if (speeds.some((speed) => speed !== null && speed > 0)) {
    return <Sparkline values={speeds} slots={slots} className="h-4 w-full" />;
  }
  if (now === null) return 'Not measured yet';
  return speeds.length < slots ? 'None at present' : 'None in the last two minutes';
}
