/** How much the welcome credit is, and how many of one network get it. */
import { type PicoUsd, picoUsd } from '../../../shared/money.ts';
import { WELCOME_CREDIT } from '../../identity/organizations.ts';

export type WelcomeTerms = Readonly<{
  /** Zero when there is no welcome credit. */
  amount: PicoUsd;
  /** How many organizations from one network get the credit per day. */
  perNetworkPerDay: number;
}>;

export const WELCOME_TERMS: WelcomeTerms = {
  amount: picoUsd(WELCOME_CREDIT),
  perNetworkPerDay: 20,
};
