import type { ComponentProps, ReactNode } from 'react';
import { Button } from './button.tsx';
import { Cancel, Dialog, DialogFooter } from './dialog.tsx';
import { Fault } from './field.tsx';
import { Form } from './form.tsx';

type FormDialogProps = Readonly<{
  onClose: () => void;
  title: string;
  description?: ReactNode;
  width?: ComponentProps<typeof Dialog>['width'];
  /** The label of the button that sends the form, such as "Adjust credit". */
  action: string;
  danger?: boolean;
  disabled?: boolean;
  /** What the form sends. */
  mutation: Readonly<{ isPending: boolean; error: Error | null }>;
  /** The names of the fields that show their own errors. */
  fields?: readonly string[];
  /** `text` returns the value of the field with a name. */
  onSend: (text: (name: string) => string) => void;
  children: ReactNode;
}>;

/**
 * A dialog with one form, the form's error, and buttons to cancel and to send. The owner closes it
 * when the form has been sent.
 */
export function FormDialog({
  onClose,
  title,
  description,
  width = 'usual',
  action,
  danger = false,
  disabled = false,
  mutation: { isPending, error },
  fields = [],
  onSend,
  children,
}: FormDialogProps) {
  return (
    <Dialog onClose={onClose} title={title} description={description} width={width}>
      <Form error={error} onSend={onSend}>
        {children}
        <Fault error={error} fields={fields} />
        <DialogFooter>
          <Cancel />
          <Button
            type="submit"
            look={danger ? 'danger' : 'primary'}
            busy={isPending}
            disabled={disabled}
          >
            {action}
          </Button>
        </DialogFooter>
      </Form>
    </Dialog>
  );
}
