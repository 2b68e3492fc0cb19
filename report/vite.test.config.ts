import { defineConfig } from "vite";

// The model without the page, for Node: what report/test runs.
export default defineConfig({ build: { ssr: "test/model.ts", target: "node20", emptyOutDir: true } });
