/** Notes for the operator of an engine: which features are missing, and what follows from that. */
import type { WireModel } from '../../shared/wire/messages.ts';
import { noMatch, type ServedEntry, type ServedModel } from './models.ts';
import type { EngineProfile } from './profile.ts';

/** The limits of a load report: the number of notes, and the length of each. */
export const NOTES_MAX = 16;
export const NOTE_CHARS_MAX = 512;
/** The most names of a list in a note. */
const NAMES_MAX = 3;

/** Returns the notes on an engine that was found and tested. */
export function notesOf(profile: EngineProfile): string[] {
  const { dialect, metrics, salted, runningUsage, reportsCached, reasoning, takesTools } = profile;
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
  if (reasoning === 'in the text') notes.push(reasoningNote(profile));
  if (!takesTools) {
    const cost =
      'each request with tools is refused, also for models whose catalog entry has tools';
    notes.push(`${missing(switches.tools, 'tools are not accepted')}: ${cost}`);
  }
  return bounded([...notes, ...profile.notes]);
}

/** An engine: whether it is up, and what it lists then. */
type ListedEngine = Readonly<{
  up: boolean;
  listed: readonly ServedEntry[];
  profile: EngineProfile;
}>;

/**
 * Returns the notes on what an engine serves of a router's catalog. An engine that is down serves
 * nothing, which its own note explains.
 */
export function servedNotesOf(
  { up, listed, profile }: ListedEngine,
  catalog: readonly WireModel[],
  served: ReadonlyMap<string, ServedModel>,
): string[] {
  if (!up || catalog.length === 0) return [];
  if (served.size === 0) return bounded([noMatch(catalog, listed, NAMES_MAX)]);
  const models = [...served.values()];
  const notes: string[] = [];
  if (hidesReasoning({ listed, profile }, models)) notes.push(reasoningNote(profile));
  if (profile.refusesImages && models.some(({ model }) => model.images)) {
    notes.push(
      `${missing(profile.dialect.switches.images, 'images are not accepted')}: each request with images is refused, although the catalog has them`,
    );
  }
  return bounded(notes);
}

/** Whether a model that thinks is served without a parser of its reasoning. */
function hidesReasoning(
  { listed, profile }: Pick<ListedEngine, 'listed' | 'profile'>,
  models: readonly ServedModel[],
): boolean {
  // The trial asked the first listed model. If a model begins with reasoning and the answer began
  // with text, the engine does not tell the two apart.
  if (!profile.beganWithText || profile.reasoning !== 'unknown') return false;
  const tried = listed[0]?.id;
  return models.some((model) => model.served === tried && model.model.thinking?.default === 'on');
}

function reasoningNote({ dialect }: EngineProfile): string {
  const cost = 'it can be neither withheld nor shown separately';
  return `${missing(dialect.switches.reasoning, 'reasoning is part of the text')}: ${cost}`;
}

function bounded(notes: readonly string[]): string[] {
  return notes.map((note) => note.slice(0, NOTE_CHARS_MAX));
}

function missing(flag: string | null, what: string): string {
  return flag === null ? what : `${what} (${flag} is not set)`;
}
