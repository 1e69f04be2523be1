/** A version as it may stand in a fingerprint and in a load report. */
import { z } from 'zod';

export const VersionText = z.string().regex(/^[\w.+-]{1,64}$/);
