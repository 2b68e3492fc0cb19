import { defineConfig } from "vite";
import { viteSingleFile } from "vite-plugin-singlefile";

// One file without a dependency on anything beside it: what `tessera report` puts its data into.
export default defineConfig({
  plugins: [viteSingleFile({ removeViteModuleLoader: true })],
  esbuild: { jsx: "automatic", jsxImportSource: "preact", legalComments: "none" },
  build: { target: "es2022", cssMinify: true, reportCompressedSize: false },
});
