/** Why a control of a form has no valid value, in the words of the API's errors. */
import { fullUrl, outOfRange } from './fault-words.ts';
import { missing } from './missing.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** For controls that the browser has found to be invalid. `label`: that of the field. */
export function invalidity(control: Control, label: string): string {
  const { validity, validationMessage } = control;
  if (validity.valueMissing) return missing(label, control.type);
  if (validity.typeMismatch) {
    if (control.type === 'email') return 'Enter an email address.';
    return fullUrl('placeholder' in control ? control.placeholder : '');
  }
  if ('min' in control && validity.rangeUnderflow) {
    return outOfRange(control.type, 'min', control.min);
  }
  if ('max' in control && validity.rangeOverflow) {
    return outOfRange(control.type, 'max', control.max);
  }
  if (validity.tooShort && !(control instanceof HTMLSelectElement)) {
    return `Enter at least ${control.minLength} characters.`;
  }
  return validationMessage;
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
