// The map as it is seen now, as a PNG file.

export const savePicture = (paint, size, name) => {
  const button = document.querySelector("[data-save-png]");
  button.hidden = false;
  button.addEventListener("click", () => {
    const picture = document.createElement("canvas");
    picture.width = size.width * 2;
    picture.height = size.height * 2;
    const context = picture.getContext("2d");
    paint(context);
    context.globalCompositeOperation = "destination-over";
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--surface");
    context.fillRect(0, 0, picture.width, picture.height);
    picture.toBlob((blob) => {
      const link = document.createElement("a");
      link.href = URL.createObjectURL(blob);
      link.download = `map-${name}.png`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    });
  });
};
