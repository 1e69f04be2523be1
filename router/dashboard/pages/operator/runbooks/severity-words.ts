/** The severities of alerts, by the words that alarms have in the dashboard. */

/** As docs/runbooks.md and the rules of Prometheus have them. */
export const SEVERITIES = { page: 'Urgent', ticket: 'Warning' } as const;

/** `"ticket, page two days before"` → `"Warning, urgent two days before"`. */
export function severityInWords(severity: string): string {
  const [first = '', ...rest] = severity.split(', ');
  const named = Object.hasOwn(SEVERITIES, first)
    ? SEVERITIES[first as keyof typeof SEVERITIES]
    : first;
  const inSmall = (text: string) =>
    text.replace(/^(?:page|ticket)\b/, (word) =>
      SEVERITIES[word as keyof typeof SEVERITIES].toLowerCase(),
    );
  return [named, ...rest.map(inSmall)].join(', ');
}
