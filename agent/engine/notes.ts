/** Notes for the operator of an engine: which features are missing, and what follows from that. */
import type { EngineProfile } from './profile.ts';

/** The limits of a load report: the number of notes, and the length of each. */
export const NOTES_MAX = 16;
export const NOTE_CHARS_MAX = 512;

/** Returns the notes on an engine that was found and tested. */
export function notesOf(profile: EngineProfile): string[] {
  const { dialect, metrics, salted, runningUsage, reportsCached, reasoning } = profile;
  const { switches } = dialect;
  const notes: string[] = [];
  if (!reportsCached) {
    const cost =
      'cached tokens are charged at the full price, and routers can only estimate what is cached';
    notes.push(`${missing(switches.cachedTokens, 'cached tokens are not reported')}: ${cost}`);
  }
  if (!metrics && dialect.metrics) {
    const cost =
      'the reported load is only what this agent sends to it, and a restart may not be detected';
    notes.push(`${missing(switches.metrics, 'there are no metrics')}: ${cost}`);
  }
  if (!runningUsage) {
    notes.push(
      "token counts are not reported during an answer (no running usage): the whole output of a request is held from the customer's credit",
    );
  }
  if (!salted) {
    const cost = 'the speed of an answer can reveal to one organization what another has sent';
    notes.push(`prefix caches are shared between organizations: ${cost}`);
  }
  if (reasoning === 'in the text') {
    const cost = 'it can be neither withheld nor shown separately';
    notes.push(`${missing(switches.reasoning, 'reasoning is part of the text')}: ${cost}`);
  }
  return [...notes, ...profile.notes].map((note) => note.slice(0, NOTE_CHARS_MAX));
}

function missing(flag: string | null, what: string): string {
  return flag === null ? what : `${what} (${flag} is not set)`;
}
