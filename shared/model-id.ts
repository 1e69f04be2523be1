/** The form of a model's id: <namespace>/<model_name>. It has no whitespace. */
export const MODEL_ID = /^[^/\s]+\/[^/\s]+$/;
