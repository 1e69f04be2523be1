/** Names this build, as vLLM's `system_fingerprint` does; a member with the comma before it. */
export const FINGERPRINT_MEMBER = ',"system_fingerprint":"penstock-sim-1"';
