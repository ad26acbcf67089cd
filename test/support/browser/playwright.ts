/** What the tests use of playwright-core, whose own types are not there before `npm run browser`. */

export interface Viewport {
  readonly width: number;
  readonly height: number;
}
export type ColorScheme = 'light' | 'dark';

export type Role =
  | 'alert'
  | 'alertdialog'
  | 'article'
  | 'button'
  | 'cell'
  | 'checkbox'
  | 'dialog'
  | 'group'
  | 'heading'
  | 'link'
  | 'list'
  | 'listitem'
  | 'main'
  | 'radio'
  | 'region'
  | 'row'
  | 'search'
  | 'status'
  | 'tab'
  | 'table'
  | 'textbox';

interface RoleOptions {
  readonly name?: string | RegExp;
  readonly exact?: boolean;
  readonly level?: number;
  readonly checked?: boolean;
  readonly selected?: boolean;
}
type Text = string | RegExp;
type State = 'attached' | 'detached' | 'visible' | 'hidden';

/** Finds elements, on a page, in a frame or below an element. */
interface Finder {
  locator(selector: string): Locator;
  getByRole(role: Role, options?: RoleOptions): Locator;
  getByLabel(text: Text, options?: { exact?: boolean }): Locator;
  getByText(text: Text, options?: { exact?: boolean }): Locator;
  frameLocator(selector: string): Finder;
}

/** Elements; an action waits until there is one, and refuses several. */
export interface Locator extends Finder {
  click(options?: { button?: 'left' | 'right'; modifiers?: readonly string[] }): Promise<void>;
  fill(text: string): Promise<void>;
  press(key: string): Promise<void>;
  check(): Promise<void>;
  selectOption(value: string | readonly string[]): Promise<unknown>;
  setInputFiles(files: readonly InputFile[]): Promise<void>;
  focus(): Promise<void>;
  dispatchEvent(type: string, init?: unknown): Promise<void>;
  waitFor(options?: { state?: State; timeout?: number }): Promise<void>;
  textContent(): Promise<string | null>;
  inputValue(): Promise<string>;
  getAttribute(name: string): Promise<string | null>;
  isVisible(): Promise<boolean>;
  isEnabled(): Promise<boolean>;
  count(): Promise<number>;
  all(): Promise<Locator[]>;
  allTextContents(): Promise<string[]>;
  boundingBox(): Promise<{ x: number; y: number; width: number; height: number } | null>;
  evaluate<T>(script: string | ((element: never, argument: unknown) => T), argument?: unknown): Promise<T>;
  first(): Locator;
  last(): Locator;
  nth(at: number): Locator;
  filter(options: { hasText?: Text; has?: Locator; hasNotText?: Text; hasNot?: Locator }): Locator;
  or(other: Locator): Locator;
}

export interface InputFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

export interface Frame extends Finder {
  url(): string;
  name(): string;
  evaluate<T>(script: string): Promise<T>;
}

export interface Page extends Finder {
  goto(url: string, options?: { waitUntil?: 'load' | 'domcontentloaded' }): Promise<Response | null>;
  reload(): Promise<unknown>;
  url(): string;
  title(): Promise<string>;
  content(): Promise<string>;
  context(): Context;
  frames(): Frame[];
  click(selector: string): Promise<void>;
  fill(selector: string, text: string): Promise<void>;
  /** The script is an expression. */
  evaluate<T>(script: string): Promise<T>;
  /** Waits until the expression is true. */
  waitForFunction(script: string, argument?: unknown, options?: { timeout?: number }): Promise<unknown>;
  waitForLoadState(state: 'load' | 'domcontentloaded' | 'networkidle'): Promise<void>;
  setViewportSize(size: Viewport): Promise<void>;
  emulateMedia(media: { colorScheme?: ColorScheme; reducedMotion?: 'reduce' | null }): Promise<void>;
  screenshot(options?: {
    path?: string;
    fullPage?: boolean;
    type?: 'png' | 'jpeg';
    animations?: 'disabled';
    clip?: { x: number; y: number; width: number; height: number };
  }): Promise<Buffer>;
  readonly keyboard: {
    press(key: string): Promise<void>;
    type(text: string): Promise<void>;
    down(key: string): Promise<void>;
    up(key: string): Promise<void>;
  };
  readonly mouse: {
    move(x: number, y: number, options?: { steps?: number }): Promise<void>;
    down(): Promise<void>;
    up(): Promise<void>;
  };
  route(
    matches: (url: URL) => boolean,
    handler: (route: {
      request(): Request;
      fulfill(answer: { contentType: string; body: string }): Promise<void>;
    }) => Promise<void>,
  ): Promise<void>;
  on(event: 'dialog', listener: (dialog: { message(): string; dismiss(): Promise<void> }) => void): void;
  on(event: 'crash', listener: () => void): void;
  on(event: 'websocket', listener: (socket: { url(): string }) => void): void;
  close(): Promise<void>;
}

export interface Response {
  status(): number;
  url(): string;
  headers(): Record<string, string>;
  text(): Promise<string>;
  request(): Request;
}
export interface Request {
  url(): string;
  method(): string;
  failure(): { errorText: string } | null;
}
export interface ConsoleMessage {
  type(): string;
  text(): string;
  location(): { url: string };
}
export interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly domain?: string;
  readonly path?: string;
  readonly url?: string;
  readonly expires?: number;
  readonly secure?: boolean;
}

/** Of the Chrome DevTools protocol, what `Performance` offers. */
export interface CdpSession {
  send(method: 'Performance.enable', options: { timeDomain: 'threadTicks' | 'timeTicks' }): Promise<void>;
  send(method: 'Performance.getMetrics'): Promise<{ metrics: { name: string; value: number }[] }>;
}

export interface Context {
  newPage(): Promise<Page>;
  pages(): Page[];
  cookies(urls?: string): Promise<Cookie[]>;
  addCookies(cookies: readonly Cookie[]): Promise<void>;
  grantPermissions(permissions: readonly string[]): Promise<void>;
  addInitScript(script: { content: string }): Promise<void>;
  setDefaultTimeout(ms: number): void;
  newCDPSession(page: Page): Promise<CdpSession>;
  exposeBinding(name: string, called: () => void): Promise<void>;
  on(event: 'request' | 'requestfailed', listener: (request: Request) => void): void;
  on(event: 'console', listener: (message: ConsoleMessage) => void): void;
  on(event: 'weberror', listener: (error: { error(): Error }) => void): void;
  on(event: 'page', listener: (page: Page) => void): void;
  close(): Promise<void>;
}

export interface ContextOptions {
  readonly viewport?: Viewport;
  readonly colorScheme?: ColorScheme;
  readonly javaScriptEnabled?: boolean;
  /** Also what `Accept-Language` says. */
  readonly locale?: string;
  readonly reducedMotion?: 'reduce';
  readonly deviceScaleFactor?: number;
}

export interface Browser {
  newContext(options?: ContextOptions): Promise<Context>;
  version(): string;
  close(): Promise<void>;
}
