/** A version that is safe in `system_fingerprint` and in load reports. */
import { z } from 'zod';

export const VersionText = z.string().regex(/^[\w.+-]{1,64}$/);
