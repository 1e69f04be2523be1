/** The form for the next message. */
import { CornerDownLeft, ImagePlus, Square } from 'lucide-react';
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../../parts/button.tsx';
import { TextArea } from '../../parts/field.tsx';
import { Form } from '../../parts/form.tsx';
import { Attachments } from './attachments.tsx';
import { IMAGE_TYPES, takeImages } from './images.ts';
import type { Prompt } from './turns.ts';

export const NOTHING: Prompt = { text: '', images: [] };

export function isEmpty({ text, images }: Prompt): boolean {
  return text.trim() === '' && images.length === 0;
}

type ComposerProps = Readonly<{
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
  const { takesImages, answering, blocked, onDraft, onSend, onStop } = props;
  const [prompt, setPrompt] = useState(NOTHING);
  useEffect(() => onDraft(prompt), [prompt, onDraft]);
  const images = useImages(props, prompt, (more) =>
    setPrompt((now) => ({ ...now, images: [...now.images, ...more] })),
  );
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
      <div className="grid gap-2 rounded-xl border border-line-strong bg-panel p-2 shadow-panel focus-within:border-accent">
        <Attachments
          images={prompt.images}
          onRemove={(index) =>
            setPrompt({ ...prompt, images: prompt.images.filter((_, at) => at !== index) })
          }
        />
        <TextArea
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
          <p className="ml-auto hidden text-xs text-muted sm:block">Shift+Enter for a new line</p>
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

/** Files that are chosen or pasted become images of the message. */
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
  const onPaste = ({ clipboardData }: ClipboardEvent) => {
    const files = [...clipboardData.files].filter(({ type }) => type.startsWith('image/'));
    if (files.length === 0) return;
    if (takesImages) void take(files);
    else setFault('This model does not support images.');
  };
  return { fault, take, onPaste };
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
