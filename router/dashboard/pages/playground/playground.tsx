import { Code, SlidersHorizontal, SquareSplitHorizontal, Trash2 } from 'lucide-react';
import { useCallback, useRef, useState } from 'react';
import type { Model } from '../../../../shared/api/models.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Page } from '../../parts/page.tsx';
import { useOrganization } from '../../session.tsx';
import { isAnswering, type Setup } from './chat.ts';
import { CodeDialog, type ShownCode } from './code-dialog.tsx';
import { Composer, isEmpty, NOTHING } from './composer.tsx';
import { Conversation } from './conversation.tsx';
import { Lanes } from './lanes.tsx';
import { SettingsPanel } from './settings-panel.tsx';
import { faultsOf, NO_SETTINGS, seesImages } from './settings.ts';
import { LANES, type Prompt, type Turn } from './turns.ts';
import { useChat } from './use-chat.ts';
import { useLanes } from './use-lanes.ts';

type PlaygroundProps = Readonly<{ title: string; models: readonly Model[]; baseUrl: string }>;

export function Playground({ title, models, baseUrl }: PlaygroundProps) {
  const { chat, turns } = useChat(useOrganization());
  const lanes = useLanes(models);
  const [settings, setSettings] = useState(NO_SETTINGS);
  const [code, setCode] = useState<ShownCode | null>(null);
  const [showsSettings, setShowsSettings] = useState(false);
  const draft = useRef<Prompt>(NOTHING);
  const keepDraft = useCallback((prompt: Prompt) => {
    draft.current = prompt;
  }, []);
  const answering = isAnswering(turns);
  const chosen = LANES.flatMap((lane) => lanes.models[lane] ?? []);
  const setup: Setup = { models: lanes.models, settings };
  const isFaulty = Object.keys(faultsOf(settings, chosen)).length > 0;

  const showNext = () => {
    const asked = isEmpty(draft.current) ? HELLO : draft.current;
    const last = turns.at(-1);
    const bodies = LANES.flatMap((lane) => {
      const sent = isEmpty(draft.current) ? last?.steps[lane]?.at(-1)?.body : undefined;
      const body = sent ?? chat.preview(lane, setup, asked)?.body;
      return body ? [{ name: nameOf(models, body.model), body }] : [];
    });
    setCode(bodies);
  };
  const panel = <SettingsPanel settings={settings} models={chosen} onChange={setSettings} />;
  return (
    <Page
      title={title}
      actions={
        <>
          <Button className="lg:hidden" onClick={() => setShowsSettings(true)}>
            <SlidersHorizontal /> <span className={LABEL}>Settings</span>
          </Button>
          {!lanes.models.b && (
            <Button onClick={lanes.compare}>
              <SquareSplitHorizontal /> <span className={LABEL}>Compare</span>
            </Button>
          )}
          <Button onClick={showNext} disabled={isFaulty}>
            <Code /> <span className={LABEL}>View code</span>
          </Button>
          <Button disabled={turns.length === 0} onClick={() => chat.clear()}>
            <Trash2 /> <span className={LABEL}>Clear</span>
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-[minmax(0,1fr)_19rem]">
        <div className="flex min-h-[calc(100dvh-10rem)] flex-col gap-4 lg:min-h-[calc(100dvh-7.75rem)]">
          <Lanes
            models={models}
            lanes={lanes}
            onKeep={(lane) => {
              chat.keep(lane);
              lanes.keep(lane);
            }}
          />
          <Conversation
            turns={turns}
            lanes={LANES.filter((lane) => lanes.models[lane])}
            models={models}
            answering={answering}
            actions={{
              edit: (turn: Turn, prompt) => chat.send(prompt, setup, turn.id),
              retry: (place) => chat.retry(place, setup),
              answerTools: (place, results) => chat.answerTools(place, results, setup),
              showCode: ({ model, body }) => setCode([{ name: nameOf(models, model), body }]),
            }}
          />
          <Composer
            takesImages={chosen.every(seesImages)}
            held={imageBytes(turns)}
            answering={answering}
            blocked={
              isFaulty ? 'A setting is invalid. Correct it before you send a message.' : null
            }
            onDraft={keepDraft}
            onSend={(prompt) => chat.send(prompt, setup)}
            onStop={() => chat.stop()}
          />
        </div>
        <aside
          aria-label="Settings"
          className="sticky top-6 hidden max-h-[calc(100dvh-7.75rem)] self-start overflow-y-auto rounded-xl border bg-panel px-4 py-4 shadow-panel lg:block"
        >
          {panel}
        </aside>
      </div>
      <CodeDialog baseUrl={baseUrl} shown={code} onClose={() => setCode(null)} />
      {showsSettings && (
        <Dialog onClose={() => setShowsSettings(false)} title="Settings">
          {panel}
        </Dialog>
      )}
    </Page>
  );
}

/** On a phone, the buttons show their icons only. */
const LABEL = 'sr-only sm:not-sr-only';

/** The prompt in the shown code while no message has been typed or sent. */
const HELLO: Prompt = { text: 'Hello', images: [] };

function nameOf(models: readonly Model[], id: string): string {
  return models.find((model) => model.id === id)?.name ?? id;
}

function imageBytes(turns: readonly Turn[]): number {
  return turns.flatMap(({ prompt }) => prompt.images).reduce((sum, { bytes }) => sum + bytes, 0);
}
