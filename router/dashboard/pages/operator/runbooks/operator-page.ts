/** The target of a link to a page for operators, as the router of the dashboard takes it. */
import { PAGES } from '../../../pages.ts';

export type OperatorPage = Readonly<{
  to: string;
  /** What it shows, such as "Fleet" or, of a part of a page, "the lost hosts". */
  shows: string;
  search: Readonly<Record<string, string>>;
  hash: string;
}>;

const ALL: readonly Readonly<{ path: string; title: string }>[] = Object.values(PAGES);

/** The parts of the page Fleet, by what its address asks for. */
const PARTS: Readonly<Record<string, string>> = {
  'link=lost#hosts': 'the lost hosts',
  'standing=draining#workers': 'the workers that drain',
  'standing=troubled#workers': 'the workers that need attention',
  'sort=failed&order=desc#workers': 'the workers by failed attempts',
  '#hosts': 'the hosts',
  '#workers': 'the workers',
};

/** `text`: an address such as `/operator/fleet?link=lost#hosts`. Null if it is anything else. */
export function operatorPage(text: string): OperatorPage | null {
  if (!/^\/operator(?:[/?#]\S*)?$/.test(text)) return null;
  const { pathname, searchParams, hash } = new URL(text, 'http://dashboard.invalid');
  const title = ALL.find(({ path }) => path === pathname)?.title ?? 'the page';
  const part = pathname === PAGES.fleet.path ? PARTS[`${searchParams}${hash}`] : undefined;
  const shows = part ?? title;
  return { to: pathname, shows, search: Object.fromEntries(searchParams), hash: hash.slice(1) };
}
