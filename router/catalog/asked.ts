/** What a request asks of its model, for the rules to judge: facts of the body, never the body itself. */
import type { SAMPLING_PARAMETERS } from '../../shared/catalog.ts';

export type SamplingParameter = (typeof SAMPLING_PARAMETERS)[number];

/** The images of a chat: their number, and their bytes within the body. */
export type Images = Readonly<{
  count: number;
  bytes: number;
  /** The field of the first, and of the first that is not an image as we take them. */
  first: string | null;
  notTaken: string | null;
}>;

export type Asked = Readonly<{
  model: string;
  /** The sampling parameters that are set. */
  sampling: readonly SamplingParameter[];
  /** Completion tokens asked for, and by which field; null: as many as the model gives. */
  maxTokens: number | null;
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  wantsJson: boolean;
  wantsReasoning: boolean;
  /** It asks that the model does not think: what it thinks all the same is withheld. */
  declinesThinking: boolean;
  reasoningTokens: number | null;
  tools: number;
  /** Why tool_choice does not fit the tools; null: it does. */
  toolChoice: Readonly<{ param: string; message: string }> | null;
  images: Images;
}>;
