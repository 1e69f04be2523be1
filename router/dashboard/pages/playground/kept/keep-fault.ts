/**
 * Why a chat is not kept as it is shown. `changed-elsewhere`: another tab or browser has saved it
 * since this one read it. `gone`: it was deleted.
 */
export class KeepFault extends Error {
  readonly kind: 'changed-elsewhere' | 'gone' | 'other';

  constructor(kind: KeepFault['kind'], message: string) {
    super(message);
    this.kind = kind;
  }
}
