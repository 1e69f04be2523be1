/** The output items of the Responses API as JSON. All text in them is escaped already. */
import type { ResponseSettings } from '../reading/translate/chat-draft.ts';
import { REASONING_MARK } from '../reading/translate/responses-input.ts';
import type { Pieces } from '../reply.ts';

export type OutputItem = Readonly<
  | { kind: 'reasoning' | 'message'; id: string; text: readonly Buffer[] }
  | { kind: 'call'; id: string; text: readonly Buffer[]; callId: Buffer; name: Buffer }
>;

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

const PREFIXES = { reasoning: 'rs', message: 'msg', call: 'fc' } as const;

/** Returns the id of the item at an index of the output, from the id of its response. */
export function itemId(kind: OutputItem['kind'], responseId: string, index: number): string {
  return `${PREFIXES[kind]}_${responseId.slice('resp_'.length)}_${index}`;
}

/** An item with all its text. */
export function itemPieces(
  item: OutputItem,
  status: ItemStatus,
  settings: ResponseSettings | null,
): (Buffer | string)[] {
  const start = `{"id":"${item.id}","status":"${status}",`;
  switch (item.kind) {
    case 'message':
      return [`${start}${MESSAGE}[`, ...partPieces(item.kind, item.text), ']}'];
    case 'reasoning': {
      const returned = settings?.returnsReasoning
        ? [`,"encrypted_content":"${REASONING_MARK}`, ...item.text, '"']
        : [];
      return [`${start}${REASONING}[`, ...partPieces(item.kind, item.text), ']', ...returned, '}'];
    }
    case 'call':
      return [
        `${start}"type":"function_call","call_id":"`,
        item.callId,
        `",${nameMembers(item.name, settings)},"arguments":"`,
        ...item.text,
        '"}',
      ];
  }
}

/** An item that has begun and has no text yet. */
export function begunItem(item: OutputItem, settings: ResponseSettings | null): string {
  if (item.kind === 'call') return itemPieces(item, 'in_progress', settings).join('');
  const members = item.kind === 'message' ? MESSAGE : REASONING;
  return `{"id":"${item.id}","status":"in_progress",${members}[]}`;
}

/** The names of functions that were offered need no escaping. */
function nameMembers(escaped: Buffer, settings: ResponseSettings | null): string {
  const called = escaped.toString();
  const grouped = settings?.grouped.get(called);
  if (!grouped) return `"name":"${called}"`;
  return `"name":"${grouped.name}","namespace":"${grouped.namespace}"`;
}

/** The only content part of an item. */
export function partPieces(kind: 'message' | 'reasoning', text: readonly Buffer[]): Pieces {
  return [PARTS[kind], ...text, '"}'];
}

const MESSAGE = '"type":"message","role":"assistant","content":';
const REASONING = '"type":"reasoning","summary":[],"content":';

const PARTS = {
  message: '{"type":"output_text","annotations":[],"logprobs":[],"text":"',
  reasoning: '{"type":"reasoning_text","text":"',
} as const;
