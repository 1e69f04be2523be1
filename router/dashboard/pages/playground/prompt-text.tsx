import { useMemo, useState } from 'react';
import { shownSize } from '../../format/count.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Button } from '../../parts/form/button.tsx';
import { endOfFirstPart } from './first-part.ts';
import { Inked } from './inked.tsx';
import { TextBuffer } from './text-buffer.ts';

/** The text of a prompt. Of a long one, the first part is shown until somebody wants all of it. */
export function PromptText({ text }: { text: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const end = useMemo(() => endOfFirstPart(text), [text]);
  const size = useMemo(() => (end === null ? 0 : new Blob([text]).size), [end, text]);
  if (end === null) return <ShortText text={text} />;
  return (
    <>
      {showsAll ? <LongText text={text} /> : <ShortText text={`${text.slice(0, end)}…`} />}
      <div className="flex items-center gap-2">
        <Button size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? 'Show less' : `Show all (${shownSize(size)})`}
        </Button>
        {/* Copies all of it, whatever is shown. */}
        <CopyButton text={text} what="the message" />
      </div>
    </>
  );
}

function ShortText({ text }: { text: string }) {
  return <p className="text-sm leading-6 break-words whitespace-pre-wrap">{text}</p>;
}

/** Its width is fixed: the blocks out of sight are not laid out, and have none. */
function LongText({ text }: { text: string }) {
  const blocks = useMemo(() => TextBuffer.of(text), [text]);
  return <Inked text={blocks} className="w-2xl max-w-full text-sm leading-6" />;
}
