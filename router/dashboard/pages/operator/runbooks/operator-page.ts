/** The target of a link to a page for operators, as the router of the dashboard takes it. */
import { PAGES } from '../../../pages.ts';

export type OperatorPage = Readonly<{
  to: string;
  /** The title of the page. */
  title: string;
  search: Readonly<Record<string, string>>;
  hash: string;
}>;

const ALL: readonly Readonly<{ path: string; title: string }>[] = Object.values(PAGES);

/** `text`: an address such as `/operator/fleet?link=lost#hosts`. Null if it is anything else. */
export function operatorPage(text: string): OperatorPage | null {
  if (!/^\/operator(?:[/?#]\S*)?$/.test(text)) return null;
  const { pathname, searchParams, hash } = new URL(text, 'http://dashboard.invalid');
  const title = ALL.find(({ path }) => path === pathname)?.title ?? 'the page';
  return { to: pathname, title, search: Object.fromEntries(searchParams), hash: hash.slice(1) };
}
