/** Which requests have a line in the log of a router or an agent: a setting of both. */
import { z } from 'zod';

/** `failures`: those that did not end with a complete answer. */
export const RequestLogSetting = z.enum(['all', 'failures', 'none']);
export type RequestLogSetting = z.infer<typeof RequestLogSetting>;
