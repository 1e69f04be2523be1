import { useMemo, useState } from 'react';
import { shownSize } from '../../format/count.ts';
import { CopyButton } from '../../parts/copy.tsx';
import { Button } from '../../parts/form/button.tsx';
import { endOfFirstPart } from './first-part.ts';

/** The text of a prompt. Of a long one, the first part is shown until somebody wants all of it. */
export function PromptText({ text }: { text: string }) {
  const [showsAll, setShowsAll] = useState(false);
  const end = useMemo(() => endOfFirstPart(text), [text]);
  const size = useMemo(() => (end === null ? 0 : new Blob([text]).size), [end, text]);
  const isCut = end !== null && !showsAll;
  return (
    <>
      <p className="text-sm leading-6 break-words whitespace-pre-wrap">
        {isCut ? `${text.slice(0, end)}…` : text}
      </p>
      {end !== null && (
        <div className="flex items-center gap-2">
          <Button size="small" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
            {showsAll ? 'Show less' : `Show all (${shownSize(size)})`}
          </Button>
          {/* Copies all of it, whatever is shown. */}
          <CopyButton text={text} what="the message" />
        </div>
      )}
    </>
  );
}
