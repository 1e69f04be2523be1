/** Notes for an engine's operator: what is missing, and what that costs. */
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
    const cost = 'every prompt is charged in full, and routers have to guess what is cached here';
    notes.push(`${missing(switches.cachedTokens, 'cached tokens are not reported')}: ${cost}`);
  }
  if (!metrics && dialect.metrics) {
    const cost = 'its load is only what this agent gives it, and a restart may go unseen';
    notes.push(`${missing(switches.metrics, 'there are no metrics')}: ${cost}`);
  }
  if (!runningUsage) {
    notes.push("no running usage: a request's whole output is held from its customer's credit");
  }
  if (!salted) {
    const cost = 'how fast an answer comes can tell one what another has sent';
    notes.push(`prefix caches are shared between organizations: ${cost}`);
  }
  if (reasoning === 'in the text') {
    const cost = 'they can be neither withheld nor told apart';
    notes.push(`${missing(switches.reasoning, 'thoughts stand in the text')}: ${cost}`);
  }
  return [...notes, ...profile.notes].map((note) => note.slice(0, NOTE_CHARS_MAX));
}

function missing(flag: string | null, what: string): string {
  return flag === null ? what : `${what} (${flag} is not set)`;
}
