/** The form for the next message. */
import { CornerDownLeft, ImagePlus, Square } from 'lucide-react';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';
import { Button } from '../../parts/form/button.tsx';
import { TextArea } from '../../parts/form/field.tsx';
import { Form } from '../../parts/form/form.tsx';
import { Attachments } from './attachments.tsx';
import { IMAGE_TYPES, takeImages } from './images.ts';
import type { Prompt } from './turns.ts';
import { useDrop } from './use-drop.ts';

export const NOTHING: Prompt = { text: '', images: [] };

export function isEmpty({ text, images }: Prompt): boolean {
  return text.trim() === '' && images.length === 0;
}

export type ComposerHandle = Readonly<{
  focus: () => void;
  /** Replaces the text of the draft. */
  fill: (text: string) => void;
}>;

type ComposerProps = Readonly<{
  ref: Ref<ComposerHandle>;
  /** Shown above the composer, over the conversation. */
  above: ReactNode;
  takesImages: boolean;
  /** The bytes of the images that the conversation has already. */
  held: number;
  answering: boolean;
  /** The reason why sending is not possible; null when it is possible. */
  blocked: string | null;
  /** Receives the draft whenever it changes. */
  onDraft: (prompt: Prompt) => void;
  onSend: (prompt: Prompt) => void;
  onStop: () => void;
}>;

export function Composer(props: ComposerProps) {
  const { ref, above, takesImages, answering, blocked, onDraft, onSend, onStop } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  const [prompt, setPrompt] = useState(NOTHING);
  useEffect(() => onDraft(prompt), [prompt, onDraft]);
  const images = useImages(props, prompt, (more) =>
    setPrompt((now) => ({ ...now, images: [...now.images, ...more] })),
  );
  useImperativeHandle(ref, () => ({
    focus: () => field.current?.focus({ preventScroll: true }),
    fill: (text) => {
      setPrompt((now) => ({ ...now, text }));
      field.current?.focus();
    },
  }));
  useEffect(() => {
    // The keyboard of a touch screen would cover the page.
    if (matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true });
  }, []);
  const mayBeSent = !answering && blocked === null && !isEmpty(prompt);
  const send = () => {
    if (!mayBeSent) return;
    onSend(prompt);
    setPrompt(NOTHING);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { isComposing, keyCode } = event.nativeEvent;
    // Safari ends a composition before the key event that ended it, and gives that event code 229.
    if (event.key !== 'Enter' || event.shiftKey || isComposing || keyCode === 229) return;
    event.preventDefault();
    send();
  };
  const fault = images.fault ?? blocked;
  return (
    <Form className="sticky bottom-0 z-10 grid gap-2 bg-ground pt-2 pb-4" onSend={send}>
      {images.isOver && <DropNote takesImages={takesImages} />}
      <div className="absolute inset-x-0 -top-9 flex justify-center empty:hidden">{above}</div>
      <div className="grid gap-2 rounded-xl border border-line-strong bg-panel p-2 shadow-panel focus-within:border-accent">
        <Attachments
          images={prompt.images}
          onRemove={(index) =>
            setPrompt({ ...prompt, images: prompt.images.filter((_, at) => at !== index) })
          }
        />
        <TextArea
          ref={field}
          aria-label="Message"
          placeholder="Write a message"
          rows={2}
          value={prompt.text}
          className="max-h-60 min-h-12! resize-none border-transparent! bg-transparent! outline-none [field-sizing:content]"
          onChange={(event) => setPrompt({ ...prompt, text: event.target.value })}
          onKeyDown={onKeyDown}
          onPaste={images.onPaste}
        />
        <div className="flex items-center gap-2">
          {takesImages && <ImageButton onFiles={(files) => void images.take(files)} />}
          <p className="ml-auto hidden text-xs text-muted sm:block">
            {answering ? 'Esc to stop' : 'Shift+Enter for a new line'}
          </p>
          <span className="ml-auto sm:ml-0">
            {answering ? (
              <Button look="secondary" onClick={onStop}>
                <Square /> Stop
              </Button>
            ) : (
              <Button look="primary" type="submit" disabled={!mayBeSent}>
                Send <CornerDownLeft />
              </Button>
            )}
          </span>
        </div>
      </div>
      {fault !== null && (
        <p role="alert" className="text-xs text-bad">
          {fault}
        </p>
      )}
    </Form>
  );
}

/** Files that are chosen, pasted or dropped become images of the message. */
function useImages(
  { takesImages, held }: ComposerProps,
  { images }: Prompt,
  add: (images: Prompt['images']) => void,
) {
  const [fault, setFault] = useState<string | null>(null);
  const take = async (files: readonly File[]) => {
    const before = images.reduce((sum, { bytes }) => sum + bytes, held);
    const taken = await takeImages(files, before);
    setFault(taken.fault);
    add(taken.images);
  };
  const offer = (files: readonly File[]) => {
    if (takesImages) void take(files);
    else setFault('This model does not support images.');
  };
  const onPaste = ({ clipboardData }: ClipboardEvent) => {
    const files = [...clipboardData.files].filter(({ type }) => type.startsWith('image/'));
    if (files.length > 0) offer(files);
  };
  return { fault, take, onPaste, isOver: useDrop(offer) };
}

function DropNote({ takesImages }: { takesImages: boolean }) {
  return (
    <p className="pointer-events-none absolute inset-0 z-10 grid place-content-center rounded-xl border-2 border-dashed border-accent bg-panel/95 text-sm font-medium">
      {takesImages ? 'Drop images to add them' : 'This model does not support images'}
    </p>
  );
}

function ImageButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        look="ghost"
        square
        aria-label="Add images"
        title="Add images"
        onClick={() => input.current?.click()}
      >
        <ImagePlus />
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label="Image files"
        accept={IMAGE_TYPES.join(',')}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // Clearing the value lets the same file be chosen again.
          target.value = '';
        }}
      />
    </>
  );
}
