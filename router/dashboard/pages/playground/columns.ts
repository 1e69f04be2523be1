/** The columns in which compared models stand side by side, on screens that are wide enough. */
const COLUMNS = [
  '',
  '',
  'md:grid-cols-2',
  'md:grid-cols-2 xl:grid-cols-3',
  'md:grid-cols-2 xl:grid-cols-4',
];

export function columnsFor(lanes: number): string {
  return COLUMNS[lanes] ?? '';
}
