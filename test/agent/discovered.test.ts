/** What discovery finds out about an engine, and tells its operator before any customer asks. */
import { describe, expect, test } from 'vitest';
import { MODEL, THINKER } from './support/fake-router.ts';
import { HELLO, notesOf, startRig, untilLoad } from './support/rig.ts';
import {
  type EngineRequest,
  generates,
  salting,
  type ScriptOptions,
} from './support/scripted-engine.ts';

describe('a server that only resembles vLLM', () => {
  const LIKE: ScriptOptions = {
    version: null,
    models: [{ id: MODEL.hubModelId, owned_by: 'vllm' }],
  };

  test('is known by who owns its models, and its metrics are read', async () => {
    await using rig = await startRig({ engine: LIKE });
    rig.engine.metrics = 'vllm:num_requests_running 4.0\nvllm:kv_cache_usage_perc 0.5\n';
    await untilLoad(rig, () => rig.session.load()?.running === 4);
    expect(rig.session.load()).toMatchObject({ engine: 'vllm-like', kvUse: 0.5 });
  });

  test('keeps caches of organizations apart only if a trial shows it', async () => {
    await using rig = await startRig({ engine: LIKE });
    expect(rig.session.load()?.salted).toBe(false);
    expect(notesOf(rig)).toContain('shared between organizations');
    await using salted = await startRig({ engine: { ...LIKE, onProbe: salting } });
    expect(salted.session.load()?.salted).toBe(true);
  });

  test('a page of another owner is that of a plain server', async () => {
    const models = [{ id: MODEL.hubModelId, owned_by: 'library' }];
    await using rig = await startRig({ engine: { version: null, models } });
    expect(rig.session.load()?.engine).toBe('openai');
  });
});

describe('what an operator has to mend before the first customer comes', () => {
  test('tools that are refused for lack of a parser are a note, and all else is served', async () => {
    const onProbe = (ask: EngineRequest) =>
      'tools' in ask.body ? ask.refuse(400, '"auto" tool choice requires …') : generates(ask);
    await using rig = await startRig({ engine: { onProbe } });
    expect(rig.session.load()?.phase).toBe('ready');
    expect(notesOf(rig)).toContain('--enable-auto-tool-choice --tool-call-parser is not set');
    await using good = await startRig();
    expect(notesOf(good)).not.toContain('tool');
  });

  test('images that llama.cpp does not take are a note, if the catalog has them', async () => {
    const settings = { default_generation_settings: { n_ctx: 8_192 }, total_slots: 1 };
    const engine = (vision: boolean) => ({
      version: null,
      pages: { '/props': { ...settings, modalities: { vision, audio: false } } },
    });
    const router = { models: [{ ...MODEL, images: true }] };
    await using blind = await startRig({ engine: engine(false), router });
    expect(notesOf(blind)).toContain('images are not accepted (--mmproj is not set)');
    await using sees = await startRig({ engine: engine(true), router });
    expect(notesOf(sees)).not.toContain('images');
    await using unasked = await startRig({ engine: engine(false) });
    expect(notesOf(unasked)).not.toContain('images');
  });

  test('text from a model that begins with reasoning is a note: there is no parser', async () => {
    const models = [{ id: THINKER.hubModelId }];
    await using rig = await startRig({ engine: { models } });
    expect(notesOf(rig)).toContain('--reasoning-parser is not set');
    const onProbe = (ask: EngineRequest) =>
      ask.accept().role(200).chunk({ reasoning: 'hm' }, [200, 1], 'length').usage(200, 1).done();
    await using good = await startRig({ engine: { models, onProbe } });
    expect(notesOf(good)).not.toContain('reasoning');
  });

  test('an engine that lists no model of the catalog says so, and what would match', async () => {
    const models = [{ id: 'mine' }];
    await using rig = await startRig({ engine: { models }, waits: false });
    await untilLoad(rig, () => notesOf(rig).includes('lists mine, and the catalog has'));
    expect(rig.session.load()?.phase).toBe('joining');
    rig.engine.models = [{ id: `${MODEL.hubModelId}:latest` }];
    await untilLoad(rig, () => rig.session.load()?.phase === 'ready');
    expect(notesOf(rig)).not.toContain('lists');
    rig.session.open(HELLO);
    expect((await rig.engine.ask()).body['model']).toBe(`${MODEL.hubModelId}:latest`);
  });
});
