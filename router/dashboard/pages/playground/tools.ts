/** Parses tool definitions as they are typed. */

export type Tool = Readonly<{
  type: 'function';
  function: Readonly<{
    name: string;
    description?: string;
    parameters?: Record<string, unknown>;
  }>;
}>;

/** The names that the API accepts. */
const NAME = /^[A-Za-z0-9_-]{1,128}$/;

export const EXAMPLE_TOOLS = JSON.stringify(
  [
    {
      type: 'function',
      function: {
        name: 'get_weather',
        description: 'The weather in a city, now',
        parameters: {
          type: 'object',
          properties: { city: { type: 'string' } },
          required: ['city'],
        },
      },
    },
  ],
  null,
  2,
);

/** Returns the tools (none for an empty text), or a string that says what is wrong. */
export function readTools(text: string): readonly Tool[] | string {
  if (text.trim() === '') return [];
  const value = parsed(text);
  if (value instanceof SyntaxError) return `Enter valid JSON: ${value.message}.`;
  if (!Array.isArray(value)) return 'Enter a JSON array of tools, from [ to ].';
  const tools: readonly unknown[] = value;
  const faults = tools.map(faultOf);
  const first = faults.findIndex((fault) => fault !== null);
  if (first >= 0) return `Tool ${first + 1}: ${faults[first]}`;
  const names = (tools as readonly Tool[]).map((tool) => tool.function.name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  return twice === undefined
    ? (tools as readonly Tool[])
    : `Two tools have the name ${twice}. Rename one.`;
}

function faultOf(tool: unknown): string | null {
  if (!isObject(tool) || tool['type'] !== 'function') return 'its "type" must be "function".';
  const named = tool['function'];
  if (!isObject(named)) return 'it needs an object "function" with at least a name.';
  const { name, description, parameters } = named;
  if (typeof name !== 'string' || !NAME.test(name)) {
    return 'its name must have 1 to 128 of the characters A-Z a-z 0-9 _ -.';
  }
  if (description !== undefined && typeof description !== 'string') {
    return 'its description must be a string.';
  }
  if (parameters !== undefined && !isObject(parameters)) {
    return 'its parameters must be an object with a JSON Schema.';
  }
  return null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}
