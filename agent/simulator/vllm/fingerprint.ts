/** The member `system_fingerprint` with the comma before it. It names this build. */
export const FINGERPRINT_MEMBER = ',"system_fingerprint":"penstock-sim-1"';
