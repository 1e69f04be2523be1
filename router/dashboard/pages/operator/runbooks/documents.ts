/** The documents for operators to which the runbooks refer, by their files in `docs/`. */
export const DOCUMENTS = {
  backup: 'Backups',
  hosts: 'Hosts: what they earned, and whether their reports fit',
  'load-balancers': 'Load balancers',
  money: 'Money',
  performance: 'Performance',
  processes: 'A router of several processes',
  regions: 'Regions',
  secrets: 'Secrets, shared settings, operators and time',
  sizing: 'Sizing',
  upgrades: 'Upgrades',
  'who-pays': 'Who pays',
} as const;

export type DocumentName = keyof typeof DOCUMENTS;

/** Where a link in a document leads, if the dashboard has it. */
export type Target =
  | Readonly<{ kind: 'runbook'; name: string }>
  | Readonly<{ kind: 'document'; name: DocumentName; hash: string }>
  | Readonly<{ kind: 'page'; name: string; hash: string }>
  | Readonly<{ kind: 'address'; href: string }>
  | Readonly<{ kind: 'file'; path: string }>;

/** `href` is as a file in `docs/` has it. What the dashboard lacks is a file of the repository. */
export function targetOf(href: string): Target {
  const [, runbook] = /^(?:runbooks\.md)?#(penstock\w+)$/.exec(href) ?? [];
  if (runbook !== undefined) return { kind: 'runbook', name: runbook };
  if (/^(?:https?:|#)/.test(href)) return { kind: 'address', href };
  const [, folder, name = '', hash = ''] =
    /^(inference\/)?([a-z-]+)\.md(?:#([\w-]+))?$/.exec(href) ?? [];
  if (folder !== undefined || name === 'errors') return { kind: 'page', name, hash };
  if (isDocument(name)) return { kind: 'document', name, hash };
  const [file = ''] = href.split('#', 1);
  return { kind: 'file', path: file.startsWith('../') ? file.slice('../'.length) : `docs/${file}` };
}

export function isDocument(name: string): name is DocumentName {
  return Object.hasOwn(DOCUMENTS, name);
}
