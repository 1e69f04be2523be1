import { CodeBlock } from '../../parts/code/code-block.tsx';
import { NamedTabs } from '../../parts/named-tabs.tsx';
import { type AgentParts, type AgentSettings, codingAgents } from './coding-agents.ts';

/** The settings of coding agents, which are long, and of use to some: they open on request. */
export function AgentTabs({ parts, keyName }: { parts: AgentParts; keyName: string | null }) {
  const tabs = Object.entries(codingAgents(parts)).map(([name, settings]) => [
    name,
    <Settings key={name} name={name} keyName={keyName} {...settings} />,
  ]);
  return (
    <details className="min-w-0 text-sm">
      <summary className="w-max rounded text-muted hover:text-ink max-sm:py-3.5">
        Coding agents
      </summary>
      <div className="pt-2">
        <NamedTabs label="Coding agent" tabs={Object.fromEntries(tabs)} />
      </div>
    </details>
  );
}

type SettingsProps = AgentSettings & Readonly<{ name: string; keyName: string | null }>;

function Settings({ name, keyName, file, commands }: SettingsProps) {
  return (
    <div className="grid min-w-0 gap-2">
      {file !== null && (
        <CodeBlock
          code={file.text}
          what={`${name} file`}
          title={file.path}
          language={languageOf(file.path)}
        />
      )}
      <p className="text-xs text-muted">
        {keyName === null ? 'In a terminal:' : `In a terminal, with the API key “${keyName}”:`}
      </p>
      <CodeBlock code={commands} what={`${name} commands`} title="Shell" language="bash" />
    </div>
  );
}

/** TOML has the colors of an INI file. */
function languageOf(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return ending === 'toml' ? 'ini' : ending === 'yml' ? 'yaml' : ending;
}
