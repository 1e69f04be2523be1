import type { Key } from '../../../../shared/api/keys.ts';
import { EditKeyDialog } from './edit-key-dialog.tsx';
import { EndKeyDialog } from './end-key-dialog.tsx';
import type { KeyAct } from './keys-table.tsx';

type KeyActProps = Readonly<{ act: KeyAct; row: Key; onClose: () => void }>;

/** The dialog of what a person does with a key. Mount it only while it is open. */
export function KeyActDialog({ act, row, onClose }: KeyActProps) {
  if (act === 'edit') return <EditKeyDialog row={row} onClose={onClose} />;
  return <EndKeyDialog row={row} end={act} onClose={onClose} />;
}
