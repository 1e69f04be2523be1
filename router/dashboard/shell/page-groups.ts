/** The groups of pages in the navigation. */
import { PAGES, type PageName } from '../pages.ts';

export type Group = 'build' | 'organization' | 'operator';

export const GROUP_TITLES: Readonly<Record<Group, string>> = {
  build: 'Build',
  organization: 'Organization',
  operator: 'Operator',
};

export function pagesOf(group: Group): PageName[] {
  return (Object.keys(PAGES) as PageName[]).filter((name) => PAGES[name].group === group);
}

export function isOperatorPath(path: string): boolean {
  return /^\/operator(\/|$)/.test(path);
}

/** Whether the page at the path belongs to the group. */
export function isInGroup(group: Group, path: string): boolean {
  if (group === 'operator' || isOperatorPath(path)) {
    return group === 'operator' && isOperatorPath(path);
  }
  const organization = path.split('/')[1] ?? '';
  return pagesOf(group).some((name) => {
    const own = PAGES[name].path.replace('$organization', organization);
    return path === own || (name !== 'overview' && path.startsWith(`${own}/`));
  });
}
