import { z } from 'zod';

/** A model's id has two segments, which are two segments of a path too. */
export const ModelIdSegment = z.string().regex(/^[^/\s\p{Cc}]{1,200}$/u);
