/** The search of the documentation. Its texts are loaded when it is first opened. */
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type KeyboardEvent, useId, useState } from 'react';
import { searchWords } from '../../../format/search-words.ts';
import { focusOn } from '../../../parts/form/focus.ts';
import { cx } from '../../../parts/class-names.ts';
import { Highlighted } from '../../../parts/highlighted.tsx';
import { fillIn } from '../contents.ts';
import { useReader } from '../reader.tsx';
import { type Hit, searched } from './docs-search.ts';

const SEARCH_CHARS_MAX = 100;

const textsQuery = {
  queryKey: ['inference-texts'],
  queryFn: async () => (await import('virtual:inference-texts')).TEXTS,
  staleTime: Number.POSITIVE_INFINITY,
};

export function SearchDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog.Root open onOpenChange={(open) => open || onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          className="fixed top-[12vh] left-1/2 z-50 w-[min(40rem,calc(100vw-2rem))] -translate-x-1/2 rounded-xl border bg-panel shadow-float"
        >
          <Dialog.Title className="sr-only">Search docs</Dialog.Title>
          <Finder onClose={onClose} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function Finder({ onClose }: { onClose: () => void }) {
  const [search, setSearch] = useState('');
  const [at, setAt] = useState(0);
  const navigate = useNavigate();
  const list = useId();
  const { data: texts = [], error } = useQuery(textsQuery);
  const hits = searched(texts, search);
  const chosen = Math.min(at, hits.length - 1);
  const open = ({ section: { page, id } }: Hit) => {
    onClose();
    void navigate({ to: '/docs/$page', params: { page }, ...(id !== '' && { hash: id }) });
  };
  const move = (to: number) => {
    const next = hits.length === 0 ? 0 : (to + hits.length) % hits.length;
    setAt(next);
    document.getElementById(`${list}-${next}`)?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const hit = hits[chosen];
    if (event.key === 'ArrowDown') move(chosen + 1);
    else if (event.key === 'ArrowUp') move(chosen - 1);
    else if (event.key === 'Enter' && hit) open(hit);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-2.5 border-b px-4">
        <Search className="size-4 shrink-0 text-muted" aria-hidden />
        <input
          ref={focusOn}
          type="text"
          role="combobox"
          aria-label="Search docs"
          aria-expanded={hits.length > 0}
          aria-controls={list}
          aria-activedescendant={hits.length > 0 ? `${list}-${chosen}` : undefined}
          placeholder="Search titles and text"
          maxLength={SEARCH_CHARS_MAX}
          value={search}
          onChange={({ target }) => {
            setSearch(target.value);
            setAt(0);
          }}
          onKeyDown={onKeyDown}
          className="h-11 w-full bg-transparent text-sm outline-none placeholder:text-muted"
        />
      </div>
      <ul
        id={list}
        role="listbox"
        aria-label="Results"
        className="max-h-[min(28rem,60dvh)] overflow-y-auto overscroll-contain p-2 empty:hidden"
      >
        {hits.map((hit, index) => (
          <Result
            key={`${hit.section.page}#${hit.section.id}`}
            id={`${list}-${index}`}
            hit={hit}
            search={search}
            isChosen={index === chosen}
            onPoint={() => setAt(index)}
            onOpen={() => open(hit)}
          />
        ))}
      </ul>
      {search.trim() !== '' && hits.length === 0 && (
        <p role="status" className="px-3 py-8 text-center text-sm text-muted">
          {error ? 'The search could not be loaded.' : `Nothing found for “${search.trim()}”.`}
        </p>
      )}
    </>
  );
}

type ResultProps = Readonly<{
  id: string;
  hit: Hit;
  search: string;
  isChosen: boolean;
  onPoint: () => void;
  onOpen: () => void;
}>;

function Result({ id, hit: { section, excerpt }, search, isChosen, onPoint, onOpen }: ResultProps) {
  const { examples } = useReader();
  const words = searchWords(search);
  const { pageTitle, title } = section;
  return (
    // The field keeps the focus, and hears the keys.
    <li
      id={id}
      role="option"
      aria-selected={isChosen}
      onPointerMove={onPoint}
      onClick={onOpen}
      onKeyDown={undefined}
      className={cx('grid cursor-pointer gap-0.5 rounded-md px-3 py-2', isChosen && 'bg-hover')}
    >
      <span className="text-sm font-medium">
        <Highlighted text={title} words={words} />
        {section.id !== '' && (
          <span className="font-normal text-muted">
            {' '}
            in <Highlighted text={pageTitle} words={words} />
          </span>
        )}
      </span>
      <span className="line-clamp-2 text-xs wrap-anywhere text-muted">
        <Highlighted text={fillIn(excerpt, examples)} words={words} />
      </span>
    </li>
  );
}
