// Runs before the page is drawn, so that it never shows in the wrong language direction or colours.
(() => {
  const kept = (name) => {
    try {
      return localStorage.getItem(`nardzero.${name}`);
    } catch {
      return null; // storage may be forbidden
    }
  };
  const root = document.documentElement;
  const theme = kept("theme");
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  const language = kept("language");
  if (language) {
    root.lang = language;
    root.dir = language === "fa" ? "rtl" : "ltr";
  }
})();
