/** A span, which is made when the work that it describes has ended. */

export type SpanKind = 'server' | 'client' | 'internal';

/** Null values are left out. */
export type SpanAttributes = Readonly<
  Record<string, string | number | boolean | readonly string[] | null>
>;

export type Span = Readonly<{
  traceId: string;
  id: string;
  /** The id of the parent span. Null for the first span of a trace. */
  parent: string | null;
  /** Whether the parent is a span of another process. */
  isParentRemote: boolean;
  name: string;
  kind: SpanKind;
  /** Milliseconds since the epoch, with a fraction. */
  start: number;
  end: number;
  attributes: SpanAttributes;
  events: readonly Readonly<{ name: string; at: number }>[];
  /** The code of the error with which the work ended. */
  error: string | null;
}>;

/** Values of `gen_ai.operation.name` by the endpoint of an engine, as OpenTelemetry defines them. */
export const GEN_AI_OPERATIONS = { chat: 'chat', completions: 'text_completion' } as const;

/** Takes spans without waiting for anything. It drops those for which there is no room. */
export type SpanSink = Readonly<{ add(spans: readonly Span[]): void }>;
