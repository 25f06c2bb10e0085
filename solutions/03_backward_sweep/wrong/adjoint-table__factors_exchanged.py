# exercise: adjoint-table
# misconception: product-own-value
# about: sends to each factor what the other should have
def adjoint_table(x, w, b, t):
    m = x * w
    z = m + b
    e = z - t
    loss = e**2
    a_loss = 1
    a_e = a_loss * 2 * e
    a_z, a_t = a_e, -a_e
    a_m, a_b = a_z, a_z
    a_w, a_x = a_m * w, a_m * x
    return dict(loss=a_loss, e=a_e, z=a_z, t=a_t, m=a_m, b=a_b, x=a_x, w=a_w)
