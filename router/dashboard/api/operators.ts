/** The operators of the platform. */
import type { Operator } from '../../../shared/api/operators.ts';
import { listQuery } from './lists.ts';

export const OPERATORS = ['platform', 'operators'] as const;

export const operatorsQuery = listQuery<Operator>(OPERATORS, '/operators');
