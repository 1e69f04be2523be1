/** Why a control of a form has no valid value, in the words of the API's errors. */

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** For controls that the browser has found to be invalid. `label`: that of the field. */
export function invalidity(control: Control, label: string): string {
  const { validity, validationMessage } = control;
  if (validity.valueMissing) return missing(label, control.type);
  if (validity.typeMismatch) {
    return control.type === 'email' ? 'Enter an email address.' : 'Enter a whole URL.';
  }
  if (validity.tooShort && !(control instanceof HTMLSelectElement)) {
    return `Enter at least ${control.minLength} characters.`;
  }
  return validationMessage;
}

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

/** The control that the event is about, if the field can say what is wrong with it. */
export function controlOf({ target }: Readonly<{ target: EventTarget }>): Control | null {
  const isControl =
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement;
  return isControl ? target : null;
}

/** Whether it is the first of its form that is invalid, which gets the focus. */
export function isFirstInvalid(control: Control): boolean {
  return control.form?.querySelector(':is(input, select, textarea):invalid') === control;
}
