/**
 * The features that a request needs from its model: facts about the body, not its text. `rules.ts`
 * checks them.
 */
import type { ListedParameter } from '../../shared/catalog.ts';

/** The images of a chat: how many, and how many bytes of the body they take. */
export type Images = Readonly<{
  count: number;
  bytes: number;
  /** The fields of the first image, and of the first that is not accepted. Null without one. */
  first: string | null;
  notTaken: string | null;
}>;

export type RequestedFeatures = Readonly<{
  model: string;
  /** The parameters that are set, of those that a model lists if it supports them. */
  listed: readonly ListedParameter[];
  /** The requested limit of completion tokens, and its field. Null means the model's maximum. */
  maxTokens: number | null;
  maxTokensField: 'max_tokens' | 'max_completion_tokens';
  /** In text completions, what a model thinks is text like any other. */
  isChat: boolean;
  wantsJson: boolean;
  wantsReasoning: boolean;
  /** Why the text of reasoning is withheld. Null when it is shown. */
  hiddenReasoning: 'excluded' | 'declined' | null;
  reasoningTokens: number | null;
  /**
   * How many alternatives to each token are requested (`top_logprobs`). Null when no log
   * probabilities are requested.
   */
  topLogprobs: number | null;
  tools: number;
  /** Why `tool_choice` does not fit `tools`. Null when it fits. */
  toolChoice: Readonly<{ param: string; message: string }> | null;
  images: Images;
}>;
