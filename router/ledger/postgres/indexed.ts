/** Operations of a batch and their answers, each with its place in the batch. */
import type { BatchAnswer } from '../../store/procedure.ts';
import type { Outcome } from '../operations.ts';

export type Indexed<Kind> = readonly [index: number, operation: Kind];
export type Answers = BatchAnswer<Outcome>[];
