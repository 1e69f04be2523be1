/** What to do about a field that must have a value and has none. */

const MISSING: Readonly<Record<string, string>> = {
  email: 'Enter an email address.',
  password: 'Enter a password.',
  date: 'Enter a date.',
  'datetime-local': 'Enter a date and a time.',
};

/** What to do about a field without a value: `Enter an engine URL.` `type`: that of its control. */
export function missing(label: string, type: string): string {
  const known = MISSING[type];
  if (known !== undefined) return known;
  const verb = type.startsWith('select') ? 'Choose' : 'Enter';
  const [first = '', ...more] = label.replace(/ \(.*\)$/, '').split(' ');
  // An acronym, such as URL, keeps its capitals.
  const noun = [first.length > 1 && first === first.toUpperCase() ? first : first.toLowerCase()]
    .concat(more)
    .join(' ');
  if (noun.startsWith('your ')) return `${verb} ${noun}.`;
  return `${verb} ${/^[aeio]/i.test(noun) ? 'an' : 'a'} ${noun}.`;
}
