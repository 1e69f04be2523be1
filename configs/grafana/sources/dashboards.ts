/** All dashboards, by the name of their file in `configs/grafana/dashboards/`. */
import { EXPERIENCE } from './experience.ts';
import { FLEET } from './fleet.ts';
import { MONEY } from './money.ts';
import type { Plan } from './panels.ts';

export const DASHBOARDS: Readonly<Record<string, Plan>> = {
  fleet: FLEET,
  experience: EXPERIENCE,
  money: MONEY,
};
