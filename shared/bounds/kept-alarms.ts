/** How the alarms of the platform are recorded, and for how long. */
import { MINUTE_MS } from '../durations.ts';

/** For how many days they are kept after their end. */
export const ALARM_DAYS = 90;

/** An alarm that is back within this time has not ended. No router records alarms less often. */
export const ALARM_GAP_MS = 3 * MINUTE_MS;
