/** The target of a link to a page for operators, as the router of the dashboard takes it. */
export type OperatorPage = Readonly<{
  to: string;
  search: Readonly<Record<string, string>>;
  hash: string;
}>;

/** `text`: an address such as `/operator/fleet?link=lost#hosts`. Null if it is anything else. */
export function operatorPage(text: string): OperatorPage | null {
  if (!/^\/operator(?:[/?#]\S*)?$/.test(text)) return null;
  const { pathname, searchParams, hash } = new URL(text, 'http://dashboard.invalid');
  return { to: pathname, search: Object.fromEntries(searchParams), hash: hash.slice(1) };
}
