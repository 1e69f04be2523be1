/** An open chat: its models, its conversation, its settings and the composer. */
import { ArrowDown, Code, SlidersHorizontal, SquarePen, SquareSplitHorizontal } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { Button } from '../../parts/form/button.tsx';
import { cx } from '../../parts/class-names.ts';
import { Dialog } from '../../parts/form/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { useOrganization } from '../../session.tsx';
import { useIsSuspended } from '../../suspension.ts';
import { preloadMarkdown } from './answer-text.tsx';
import { BAR, BAR_LABEL } from './bar-label.ts';
import { isAnswering } from './chat.ts';
import { ChatsMenu } from './chats-menu.tsx';
import { CodeDialog, type ShownCode } from './code-dialog.tsx';
import { Composer, type ComposerHandle, isEmpty, NOTHING } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import type { KeptChat } from './kept/chat-file.ts';
import { type ChatPlaces, type Move, placeOf } from './kept/chat-places.ts';
import { FaultNotice, MissingNotice, SharedNotice } from './kept/notices.tsx';
import { PlaceMenu } from './kept/place-menu.tsx';
import { useKeeping } from './kept/use-keeping.ts';
import { LaneSettings } from './lane-settings.tsx';
import { Lanes } from './lanes.tsx';
import { faultsOf, seesImages } from './settings.ts';
import { ShareMenu } from './share-menu.tsx';
import type { Lane, Prompt, Turn } from './turns.ts';
import { useChat } from './use-chat.ts';
import { useEscape } from './use-escape.ts';
import { toEnd } from './use-follow.ts';
import { useLanes } from './use-lanes.ts';
import { GAP_PX, useStickyBar } from './use-sticky-bar.ts';

type PlaygroundProps = Readonly<{
  title: string;
  models: readonly Model[];
  baseUrl: string;
  /** The id under which the chat is kept. */
  id: string;
  places: ChatPlaces;
  /** The chat as it was kept or shared; null for a new one. */
  opened: KeptChat | null;
  /** Whether the chat is from a link, and not kept yet. */
  isShared: boolean;
  /**
   * Null: the address names no chat, or one that was found. `none`: the chat is not kept where it
   * should be. Otherwise why it could not be read.
   */
  missing: string | null;
  /** Whether chats may be kept in the account. */
  mayUseAccount: boolean;
  isMoving: boolean;
  onNew: () => void;
  onOpen: (id: string) => void;
  /** Called when the chat has been kept because it went on. */
  onKept: () => void;
  onKeep: (chat: KeptChat) => void;
  /** Returns whether the chat was kept as a new one. */
  onMove: (move: Move) => Promise<boolean>;
  /** Reads the chat again, as it is kept. */
  onReopen: () => void;
  onFile: (file: unknown) => void;
}>;

/** With more lanes, the settings move behind a button to make room. */
const LANES_BESIDE_SETTINGS = 2;

export function Playground(props: PlaygroundProps) {
  const { title, models, baseUrl, id, places, opened, isShared, missing } = props;
  const { mayUseAccount, isMoving } = props;
  const { onNew, onOpen, onKept, onKeep, onMove, onReopen, onFile } = props;
  const organization = useOrganization();
  const isSuspended = useIsSuspended();
  const { chat, turns } = useChat(organization, opened?.turns ?? NO_TURNS);
  const lanes = useLanes(models, opened?.lanes ?? null);
  const { setup, chosen } = lanes;
  const current = useMemo(() => ({ turns, lanes: chosen }), [turns, chosen]);
  const keeping = useKeeping({ places, id, chat: current, mayUseAccount, onKept });
  const [code, setCode] = useState<ShownCode | null>(null);
  const [showsSettings, setShowsSettings] = useState(false);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const composer = useRef<ComposerHandle>(null);
  const draft = useRef<Prompt>(NOTHING);
  const keepDraft = useCallback((prompt: Prompt) => {
    draft.current = prompt;
  }, []);
  const answering = isAnswering(turns);
  useEscape(answering, () => chat.stop());
  useEffect(preloadMarkdown, []);
  const isFaulty = setup.some(
    ({ settings, model }) => Object.keys(faultsOf(settings, model)).length > 0,
  );
  const bar = useRef<HTMLDivElement>(null);
  const pickers = useRef<HTMLDivElement>(null);
  const sticky = useStickyBar({ isSticky: turns.length > 0, bar, lanes: pickers });
  const hasAside = setup.length <= LANES_BESIDE_SETTINGS;

  const showNext = () => {
    const asked = isEmpty(draft.current) ? HELLO : draft.current;
    const last = turns.at(-1);
    const bodies = setup.flatMap(({ lane }) => {
      const sent = isEmpty(draft.current) ? last?.steps[lane]?.at(-1)?.body : undefined;
      const body = sent ?? chat.preview(lane, setup, asked)?.body;
      return body ? [{ name: nameOf(models, body.model), body }] : [];
    });
    setCode(bodies);
  };
  const remove = (lane: Lane) => {
    const heir = setup.find((one) => one.lane !== lane);
    if (!heir) return;
    chat.remove(lane, heir.lane);
    lanes.remove(lane);
  };
  /** The chat must not be kept under its former id meanwhile. */
  const move = async (part: Omit<Move, 'chat'>) => {
    keeping.pause();
    if (!(await onMove({ ...part, chat: current }))) keeping.resume();
  };
  return (
    <Page
      title={title}
      full
      wide={!hasAside}
      stickyTop={sticky?.header}
      description={
        <PlaceMenu
          place={placeOf(id)}
          isSaved={!keeping.fault}
          isEmpty={turns.length === 0}
          mayUseAccount={mayUseAccount}
          disabled={answering || isMoving}
          onMove={(to) => void move({ to, deletes: true })}
        />
      }
      actions={
        <div ref={bar} className={BAR}>
          {lanes.add && (
            <Button look="ghost" onClick={lanes.add}>
              <SquareSplitHorizontal /> <span className={BAR_LABEL}>Compare</span>
            </Button>
          )}
          <Button look="ghost" onClick={showNext} disabled={isFaulty}>
            <Code /> <span className={BAR_LABEL}>View code</span>
          </Button>
          <ShareMenu chat={current} />
          <Button
            look="ghost"
            className={cx(hasAside && 'lg:hidden')}
            onClick={() => setShowsSettings(true)}
          >
            <SlidersHorizontal /> <span className={BAR_LABEL}>Settings</span>
          </Button>
          <span aria-hidden className="mx-1 h-5 w-px bg-line-strong max-sm:hidden" />
          <ChatsMenu {...{ places, mayUseAccount, onOpen, onNew, onFile }} current={id} />
          <Button disabled={turns.length === 0} onClick={onNew}>
            <SquarePen /> <span className={BAR_LABEL}>New chat</span>
          </Button>
        </div>
      }
    >
      <div
        className={cx(
          'grid grid-cols-[minmax(0,1fr)] gap-6',
          hasAside && 'lg:grid-cols-[minmax(0,1fr)_19rem]',
        )}
      >
        <div className="flex flex-col gap-4">
          <Lanes
            ref={pickers}
            models={models}
            lanes={lanes}
            stickyTop={sticky?.below}
            onRemove={remove}
          />
          {missing !== null && turns.length === 0 && (
            <MissingNotice place={placeOf(id)} fault={missing === 'none' ? null : missing} />
          )}
          {isShared && <SharedNotice onKeep={() => onKeep(current)} />}
          <Conversation
            turns={turns}
            lanes={setup.map(({ lane }) => lane)}
            models={models}
            answering={answering}
            onExample={(text) => composer.current?.fill(text)}
            onEnd={setIsAtEnd}
            actions={{
              edit: (turn: Turn, prompt) => chat.send(prompt, setup, turn.id),
              retry: (place) => chat.retry(place, setup),
              answerTools: (place, results) => chat.answerTools(place, results, setup),
              showCode: ({ model, body }) => setCode([{ name: nameOf(models, model), body }]),
            }}
          />
          {keeping.fault && (
            <FaultNotice
              fault={keeping.fault}
              place={placeOf(id)}
              disabled={answering || isMoving}
              onRetry={keeping.retry}
              onReopen={onReopen}
              onCopy={(to) => void move({ to, deletes: false })}
            />
          )}
          <Composer
            ref={composer}
            above={
              !isAtEnd && (
                <Button size="small" className="rounded-full shadow-float" onClick={toEnd}>
                  <ArrowDown /> Jump to latest
                </Button>
              )
            }
            takesImages={setup.every(({ model }) => seesImages(model))}
            held={imageBytes(turns)}
            answering={answering}
            blocked={blockedBy({ isSuspended, isFaulty, isMoving })}
            onDraft={keepDraft}
            onSend={(prompt) => chat.send(prompt, setup)}
            onStop={() => chat.stop()}
          />
        </div>
        {hasAside && (
          // The settings are never the reason why the page is higher than the window.
          <aside aria-label="Settings" className="hidden flex-col contain-size lg:flex">
            <div
              style={asideBelow(sticky?.below)}
              className="sticky top-6 max-h-[calc(100dvh-3rem)] min-h-0 overflow-y-auto rounded-xl border bg-panel px-4 pt-4 shadow-panel"
            >
              <LaneSettings lanes={lanes} />
              {/* What goes on below the edge fades there. */}
              <div
                aria-hidden
                className="pointer-events-none sticky bottom-0 -mx-4 h-8 bg-linear-to-t from-panel to-transparent"
              />
            </div>
          </aside>
        )}
      </div>
      <CodeDialog baseUrl={baseUrl} shown={code} onClose={() => setCode(null)} />
      {showsSettings && (
        <Dialog onClose={() => setShowsSettings(false)} title="Settings">
          <LaneSettings lanes={lanes} />
        </Dialog>
      )}
    </Page>
  );
}

/** The place of the settings below the sticky buttons. */
function asideBelow(below: number | undefined) {
  if (below === undefined) return undefined;
  const top = below + GAP_PX;
  return { top, maxHeight: `calc(100dvh - ${top}px - 1.5rem)` };
}

const NO_TURNS: readonly Turn[] = [];

/** The prompt in the shown code while no message has been typed or sent. */
const HELLO: Prompt = { text: 'Hello', images: [] };

function nameOf(models: readonly Model[], id: string): string {
  return models.find((model) => model.id === id)?.name ?? id;
}

type Hindrances = Readonly<{ isSuspended: boolean; isFaulty: boolean; isMoving: boolean }>;

function blockedBy({ isSuspended, isFaulty, isMoving }: Hindrances): string | null {
  if (isSuspended) return 'The organization is suspended, so no message can be sent.';
  if (isFaulty) return 'A setting is invalid. Correct it before you send a message.';
  return isMoving ? 'The chat is being moved.' : null;
}

function imageBytes(turns: readonly Turn[]): number {
  return turns.flatMap(({ prompt }) => prompt.images).reduce((sum, { bytes }) => sum + bytes, 0);
}
