/** Defines what the agent uses of Node 24 that Node 22 lacks: stacks of disposables, RegExp.escape. */

type Undo = () => unknown;

/** What both stacks have in common. Like those of Node 24, but without checks of the arguments. */
abstract class Stack {
  protected undos: Undo[] = [];
  disposed = false;

  protected abstract undoOf(value: unknown): Undo | undefined;

  use<Value>(value: Value): Value {
    const undo = this.undoOf(value);
    if (undo) this.defer(undo);
    return value;
  }

  adopt<Value>(value: Value, undo: (value: Value) => unknown): Value {
    this.defer(() => undo(value));
    return value;
  }

  defer(undo: Undo): void {
    if (this.disposed) throw new ReferenceError('the stack has been disposed of');
    this.undos.push(undo);
  }

  move(): this {
    const moved = new (this.constructor as new () => this)();
    moved.undos = this.take();
    return moved;
  }

  /** The functions to call now, the newest at the end. The stack is disposed of after that. */
  protected take(): Undo[] {
    this.disposed = true;
    return this.undos.splice(0);
  }
}

class SyncStack extends Stack {
  protected undoOf(value: unknown): Undo | undefined {
    const undo = (value as Disposable | null | undefined)?.[Symbol.dispose];
    return undo && (() => undo.call(value as Disposable));
  }

  dispose(): void {
    const errors: unknown[] = [];
    for (const undo of this.take().toReversed()) {
      try {
        undo();
      } catch (error) {
        errors.push(error);
      }
    }
    throwAll(errors);
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

class AsyncStack extends Stack {
  protected undoOf(value: unknown): Undo | undefined {
    const both = value as Partial<AsyncDisposable & Disposable> | null | undefined;
    const undo = both?.[Symbol.asyncDispose] ?? both?.[Symbol.dispose];
    return undo && (() => undo.call(value as AsyncDisposable & Disposable));
  }

  async disposeAsync(): Promise<void> {
    const errors: unknown[] = [];
    for (const undo of this.take().toReversed()) {
      try {
        await undo();
      } catch (error) {
        errors.push(error);
      }
    }
    throwAll(errors);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.disposeAsync();
  }
}

function throwAll(errors: readonly unknown[]): void {
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, 'parts could not be disposed of');
}

/** The first character is escaped as well, because it may follow an escape such as `\1`. */
function escape(text: string): string {
  return text.replace(
    /^[\dA-Za-z]|[^\w\u0080-\uffff]/g,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  );
}

const defined = globalThis as Record<string, unknown>;
defined['DisposableStack'] ??= SyncStack;
defined['AsyncDisposableStack'] ??= AsyncStack;
(RegExp as { escape?: (text: string) => string }).escape ??= escape;
