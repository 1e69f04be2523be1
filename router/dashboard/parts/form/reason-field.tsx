import { REASON_CHARS_MAX } from '../../../../shared/bounds/reason-chars.ts';
import { TextAreaField } from './field.tsx';

type ReasonFieldProps = Readonly<{
  isOptional?: boolean;
  /** Who reads the reason. */
  hint?: string;
}>;

/** Asks an operator why they do something. */
export function ReasonField({ isOptional = false, hint }: ReasonFieldProps) {
  return (
    <TextAreaField
      label={isOptional ? 'Reason (optional)' : 'Reason'}
      hint={hint}
      param="reason"
      maxLength={REASON_CHARS_MAX}
      required={!isOptional}
    />
  );
}
