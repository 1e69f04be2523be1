import { z } from 'zod';
import { REGIONS } from './region.ts';

export const Region = z.enum(REGIONS);
